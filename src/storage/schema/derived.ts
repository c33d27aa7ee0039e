import { createHash } from 'node:crypto'
import { ACCOUNTING_FIELDS, DATA_FIELDS, ENVELOPE_FIELDS, LINE_FIELDS } from '#catalog/fields.ts'
import { GROUPS, KINDS } from '#catalog/kinds.ts'
import { DELIVERY_METHODS, PLUGIN_EVENT_TYPES } from '#catalog/service.ts'
import { VERDICTS } from '#contract/values.ts'
import { ANALYSIS_VERSION } from '#core/checks/analysis.ts'
import { CODES } from '#core/checks/codes.ts'
import { MARK_BITS } from '../sql/columns.ts'

/**
 * Results of analysis. Rejected deliveries have neither `instant` nor `body`, as they take no part in the marks (readings,
 * Delivery). `minute` tells a deletion which rollup to reduce. `names`: names and tax ids of customer and supplier, folded, one per line.
 * `document`: the row of the document that the event updates; `party`, `total` and `currency`: its values of these facts.
 */
const ANALYSIS = `
  CREATE TABLE analysis (
    delivery_id INTEGER PRIMARY KEY,
    event TEXT,
    kind TEXT,
    "group" TEXT,
    document_id TEXT,
    document_key TEXT,
    number TEXT,
    status_id INTEGER,
    timestamp TEXT,
    instant INTEGER,
    verdict INTEGER NOT NULL,
    finding_count INTEGER NOT NULL,
    marks INTEGER NOT NULL,
    endpoint TEXT NOT NULL,
    body INTEGER,
    minute INTEGER NOT NULL DEFAULT 0,
    names TEXT,
    document INTEGER,
    party TEXT,
    total TEXT,
    currency TEXT
  ) STRICT;
  CREATE INDEX analysis_kind ON analysis (kind, verdict, delivery_id);
  CREATE INDEX analysis_kind_order ON analysis (kind, delivery_id);
  CREATE INDEX analysis_verdict ON analysis (verdict, delivery_id);
  CREATE INDEX analysis_document ON analysis (document_key, instant) WHERE document_key IS NOT NULL;
  CREATE INDEX analysis_body ON analysis (body) WHERE body IS NOT NULL;
  CREATE INDEX analysis_minute ON analysis (minute);
  CREATE TABLE findings (delivery_id INTEGER PRIMARY KEY, packed BLOB NOT NULL) STRICT;
  CREATE VIRTUAL TABLE search USING fts5 (
    text, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2'
  );
  CREATE TABLE progress (key TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;
`

/**
 * One row per complete document event that was received and not rejected. `analysis_document` finds them by document: a second index of
 * random keys would cost each event more than its row. `document_event_at` serves ranges of issue dates, else of instants.
 */
const DOCUMENT_EVENTS = `
  CREATE TABLE document_event (
    delivery_id INTEGER PRIMARY KEY,
    step INTEGER NOT NULL,
    instant INTEGER NOT NULL,
    issued_at INTEGER,
    document_key TEXT NOT NULL,
    endpoint TEXT NOT NULL,
    kind TEXT NOT NULL,
    document_type INTEGER,
    status_id INTEGER,
    number TEXT,
    modifies TEXT,
    fingerprint BLOB
  ) STRICT;
  CREATE INDEX document_event_at ON document_event (coalesce(issued_at, instant), document_key);
  CREATE TABLE observed_type (
    document_type INTEGER NOT NULL,
    kind TEXT NOT NULL,
    endpoint TEXT NOT NULL,
    PRIMARY KEY (document_type, kind, endpoint)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX document_event_modifies ON document_event (modifies) WHERE modifies IS NOT NULL;
`

/**
 * Counts of deliveries by minute of arrival. `rollup_total` serves the set of all deliveries. `rollup` serves filters on kind, group,
 * verdict and endpoint: `counts` holds pairs of 32-bit numbers, the id of a row of `rollup_sort` and the number of such deliveries,
 * since a row per pair takes fifty times as long to read. `kind_no` is a kind's place in the catalogue, from 1; 0 for no kind.
 */
const ROLLUPS = `
  CREATE TABLE rollup_sort (
    id INTEGER PRIMARY KEY,
    endpoint TEXT NOT NULL,
    kind_no INTEGER NOT NULL,
    verdict INTEGER NOT NULL,
    UNIQUE (endpoint, kind_no, verdict)
  ) STRICT;
  CREATE TABLE rollup (
    width INTEGER NOT NULL,
    at INTEGER NOT NULL,
    counts BLOB NOT NULL,
    PRIMARY KEY (width, at)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE rollup_total (
    width INTEGER NOT NULL,
    at INTEGER NOT NULL,
    v0 INTEGER NOT NULL, v1 INTEGER NOT NULL, v2 INTEGER NOT NULL, v3 INTEGER NOT NULL, v4 INTEGER NOT NULL,
    v5 INTEGER NOT NULL,
    g0 INTEGER NOT NULL, g1 INTEGER NOT NULL, g2 INTEGER NOT NULL, g3 INTEGER NOT NULL, g4 INTEGER NOT NULL,
    g5 INTEGER NOT NULL, g6 INTEGER NOT NULL, g7 INTEGER NOT NULL, g8 INTEGER NOT NULL,
    PRIMARY KEY (width, at)
  ) STRICT, WITHOUT ROWID;
`

/**
 * One row per invoice, note or expense, updated as its events are analysed. `kinds`, `verdicts` and `marks` are bit sets over its events:
 * kind_no of the rollups, index into VERDICTS, MARK_BITS. Instants are by Timestamp, in microseconds; for each step, the earliest. `key`
 * alone is indexed: an index of a column that changes would cost every event more than a scan of all documents costs a query. `names` has
 * the content of `analysis.names`. The latest event that has a fact decides its value.
 */
const DOCUMENTS = `
  CREATE TABLE document (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    document_id TEXT NOT NULL,
    family INTEGER NOT NULL,
    number TEXT,
    party TEXT,
    names TEXT,
    total TEXT,
    currency TEXT,
    status_id INTEGER,
    last_kind INTEGER NOT NULL,
    kinds INTEGER NOT NULL,
    verdicts INTEGER NOT NULL,
    marks INTEGER NOT NULL,
    events INTEGER NOT NULL,
    recovered INTEGER NOT NULL,
    first_at INTEGER NOT NULL,
    last_at INTEGER NOT NULL,
    created_at INTEGER,
    updated_at INTEGER,
    status_at INTEGER,
    voided_at INTEGER,
    gaps INTEGER GENERATED ALWAYS AS (
      (created_at IS NULL) + 2 * (status_at IS NOT NULL AND status_at < coalesce(created_at, 0))
      + 4 * (updated_at IS NOT NULL AND updated_at < coalesce(created_at, 0))
      + 8 * (created_at IS NULL AND voided_at IS NOT NULL) + 16 * (voided_at IS NOT NULL AND last_at > voided_at)
    ) STORED
  ) STRICT;
`

/**
 * Everything observed in the bodies of each kind (core/drift/profile.ts), and each drift of a delivery. `observed` has one row per place,
 * type, format or value, written once. Its `slot` is an index into `observed_count.counts`, three doubles per slot: number of deliveries,
 * id of the last one, its arrival. A delivery changes some hundred slots, which as rows would cost more than the rest of its
 * analysis. `type` is a SHAPE_TYPE, or `place`, `absent`, `value`, `many`. `learns_from` is the last delivery before a reset: only later
 * ones count. A delivery named here may be deleted; its deletion does not reduce the counts.
 */
const DRIFT = `
  CREATE TABLE observed (
    kind_no INTEGER NOT NULL,
    slot INTEGER NOT NULL,
    pointer TEXT NOT NULL,
    type TEXT NOT NULL,
    format TEXT,
    value TEXT,
    first_id INTEGER NOT NULL,
    first_at INTEGER NOT NULL,
    PRIMARY KEY (kind_no, slot)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE observed_count (
    kind_no INTEGER PRIMARY KEY,
    counts BLOB NOT NULL,
    unrecorded INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE observed_from (kind TEXT PRIMARY KEY, learns_from INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE drift (
    id INTEGER PRIMARY KEY,
    delivery_id INTEGER NOT NULL,
    kind_no INTEGER NOT NULL,
    at INTEGER NOT NULL,
    code TEXT NOT NULL,
    pointer TEXT NOT NULL,
    place TEXT NOT NULL,
    was TEXT NOT NULL,
    now TEXT,
    seen INTEGER NOT NULL,
    since INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX drift_delivery ON drift (delivery_id);
  CREATE INDEX drift_kind ON drift (kind_no, at);
`

/** Deliveries whose bodies ended the analyst thread twice. Carried over when the file is made anew. */
const TOO_EXPENSIVE = `
  CREATE TABLE too_expensive (delivery_id INTEGER PRIMARY KEY) STRICT;
`

/** The whole schema of derived.db. It has no migrations: an older file is made again. */
export const DERIVED_SCHEMA = [ANALYSIS, DOCUMENT_EVENTS, ROLLUPS, DOCUMENTS, DRIFT, TOO_EXPENSIVE].join('')

/** Minutes per row of the rollups: the hours make a year as cheap to draw as a day. */
export const ROLLUP_WIDTHS = [1, 60] as const

const isText = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'en' in value && 'es' in value

/** `user_version` of derived.db: a hash of all that decides its content. ANALYSIS_VERSION stands for the code; texts do not count. */
export const DERIVED_VERSION = versionOf([
  ANALYSIS_VERSION,
  DERIVED_SCHEMA,
  ROLLUP_WIDTHS,
  GROUPS,
  KINDS,
  [ENVELOPE_FIELDS, DATA_FIELDS, LINE_FIELDS, ACCOUNTING_FIELDS].map((fields) => [...fields.values()]),
  DELIVERY_METHODS,
  PLUGIN_EVENT_TYPES,
  VERDICTS,
  Object.entries(CODES).map(([code, { level }]) => [code, level]),
  MARK_BITS,
])

/** @returns a positive number of 31 bits, as `user_version` requires */
export function versionOf(parts: readonly unknown[]): number {
  const text = JSON.stringify(parts, (_, value: unknown) => (isText(value) ? undefined : value))
  return (createHash('sha256').update(text).digest().readUInt32BE() >>> 1) | 1
}
