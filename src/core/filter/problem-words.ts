import { type Text, text } from '#catalog/text.ts'
import type { Problem, ProblemCode } from './problem.ts'

/** What is wrong and what to do. */
const SENTENCES = {
  'too-long': (p) =>
    text(
      `The filter has ${p.length} characters; at most ${p.most} are taken. Shorten it.`,
      `El filtro tiene ${p.length} caracteres; se admiten ${p.most} como máximo. Acórtelo.`,
    ),
  'too-many-conditions': (p) =>
    text(
      `The filter has more than ${p.most} conditions. Remove some, or use wildcards such as kind:factura.*.`,
      `El filtro tiene más de ${p.most} condiciones. Quite algunas o use comodines como kind:factura.*.`,
    ),
  'too-deep': (p) =>
    text(
      `Parentheses and negations are nested more than ${p.most} deep. Remove some of them.`,
      `Hay más de ${p.most} niveles de paréntesis y negaciones. Quite algunos.`,
    ),
  'unclosed-quote': () =>
    text(
      'This quotation mark is never closed. Add the closing one, or remove it.',
      'Estas comillas no se cierran. Agregue las de cierre o quítelas.',
    ),
  'unclosed-parenthesis': () =>
    text(
      'This parenthesis is never closed. Add ")", or remove it.',
      'Este paréntesis no se cierra. Agregue ")" o quítelo.',
    ),
  'unopened-parenthesis': () =>
    text(
      'This ")" closes nothing. Remove it, or add "(" before.',
      'Este ")" no cierra nada. Quítelo o agregue "(" antes.',
    ),
  'empty-parentheses': () =>
    text(
      'There is nothing between these parentheses. Put a condition there, or remove them.',
      'No hay nada entre estos paréntesis. Escriba una condición o quítelos.',
    ),
  'missing-operand': (p) =>
    text(
      `"${p.word}" needs a condition ${p.side === 'before' ? 'before' : 'after'} it. To look for the word itself, write it in quotes.`,
      `"${p.word}" necesita una condición ${p.side === 'before' ? 'antes' : 'después'}. Para buscar la palabra misma, escríbala entre comillas.`,
    ),
  'lone-minus': () =>
    text(
      'Write "-" directly before what it excludes, without a space: -kind:dgii.*',
      'Escriba "-" justo antes de lo que excluye, sin espacio: -kind:dgii.*',
    ),
  'unknown-field': (p) =>
    text(
      `There is no field "${p.field}". Fields are ${p.fields}. To look for text that has a colon, put it in quotes.`,
      `No existe el campo "${p.field}". Los campos son ${p.fields}. Para buscar un texto con dos puntos, póngalo entre comillas.`,
    ),
  'missing-value': (p) =>
    text(
      `A value is missing here. Write it right after "${p.field}:", without a space, for example ${p.example}.`,
      `Falta un valor aquí. Escríbalo justo después de "${p.field}:", sin espacio, por ejemplo ${p.example}.`,
    ),
  'unknown-value': (p) =>
    text(
      `"${p.field}:" does not know "${p.value}". ${p.nearest ? `Did you mean ${p.nearest}?` : `Try ${p.example}.`}`,
      `"${p.field}:" no conoce "${p.value}". ${p.nearest ? `¿Quiso decir ${p.nearest}?` : `Pruebe ${p.example}.`}`,
    ),
  'bad-comparison': (p) =>
    text(
      `"${p.value}" cannot be compared. Write >, >=, < or <= before one of ${p.values}.`,
      `"${p.value}" no se puede comparar. Escriba >, >=, < o <= antes de uno de ${p.values}.`,
    ),
  'nothing-to-find': (p) =>
    text(
      `"${p.value}" has no letter and no digit to look for. Add some, or remove it.`,
      `"${p.value}" no tiene letras ni dígitos que buscar. Agregue alguno o quítelo.`,
    ),
  'bad-amount': (p) =>
    text(
      `"${p.field}:" takes a number, a comparison or a range, such as ${p.example} or ${p.field}:1..9, or none; "${p.value}" is none of them.`,
      `"${p.field}:" admite un número, una comparación o un rango, como ${p.example} o ${p.field}:1..9, o none; "${p.value}" no es nada de eso.`,
    ),
  'bad-time': (p) =>
    text(
      `"${p.value}" is no date or time. Write ${p.field}:2026-11-01, ${p.field}:2026-11-01T10:00.., today, yesterday or last-7d.`,
      `"${p.value}" no es una fecha ni una hora. Escriba ${p.field}:2026-11-01, ${p.field}:2026-11-01T10:00.., today, yesterday o last-7d.`,
    ),
  'reversed-range': (p) =>
    text(
      `"${p.value}" ends before it begins. Write ${p.turned}.`,
      `"${p.value}" termina antes de empezar. Escriba ${p.turned}.`,
    ),
  'bad-path': (p) =>
    text(
      `This path leads nowhere. Write members after dots and places in brackets, for example ${p.example} or $.data.Lines[*].Code:*.`,
      `Esta ruta no lleva a ninguna parte. Escriba los campos tras puntos y las posiciones entre corchetes, por ejemplo ${p.example} o $.data.Lines[*].Code:*.`,
    ),
  'bad-regex': (p) =>
    text(
      `This expression cannot be used: ${p.reason}. It is RE2 syntax, without back-references and look-around.`,
      `Esta expresión no se puede usar: ${p.reason}. La sintaxis es RE2, sin referencias hacia atrás ni miradas alrededor.`,
    ),
  'missing-header': (p) =>
    text(
      `Write the header's name after the dot, for example ${p.example}.`,
      `Escriba el nombre de la cabecera tras el punto, por ejemplo ${p.example}.`,
    ),
} as const satisfies Record<ProblemCode, (params: Readonly<Record<string, string | number>>) => Text>

/** A sentence must stay one, whatever was pasted into the filter. */
const MOST_QUOTED = 60
/** Lists of the language itself, which are shown whole. */
const OURS: ReadonlySet<string> = new Set(['fields', 'values'])
const short = (value: string | number): string | number =>
  typeof value === 'number' || value.length <= MOST_QUOTED
    ? value
    : `${value.slice(0, MOST_QUOTED).toWellFormed()}…`

/** What is wrong with a filter as a sentence, in both languages. */
export function sentenceOf({ code, params }: Pick<Problem, 'code' | 'params'>): Text {
  const said = Object.entries(params).map(
    ([name, value]) => [name, OURS.has(name) ? value : short(value)] as const,
  )
  return SENTENCES[code](Object.fromEntries(said))
}
