import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '@/components/dialog.tsx'
import { Kbd } from '@/components/kbd.tsx'
import { ROUTES } from '@/routes.tsx'
import styles from './keyboard-help.module.css'

/** Keys of one line: alternatives, each a sequence. */
type Keys = readonly (readonly string[])[]

const ANYWHERE = [
  ['filter', [['/']]],
  ['help', [['?']]],
] as const satisfies readonly (readonly [string, Keys])[]
const LIST = [
  ['next', [['j'], ['↓']]],
  ['previous', [['k'], ['↑']]],
  ['page', [['PgDn'], ['PgUp']]],
  ['ends', [['Home'], ['End']]],
  ['open', [['Enter']]],
  ['close', [['Esc']]],
  ['pause', [['space']]],
  ['follow', [['f']]],
  ['pin', [['p']]],
  ['compare', [['c']]],
  [
    'choose',
    [
      ['Shift', '↓'],
      ['Ctrl', 'A'],
    ],
  ],
  ['replay', [['r']]],
  ['replaySheet', [['Shift', 'R']]],
  ['dock', [['d']]],
  ['timeline', [['t']]],
] as const satisfies readonly (readonly [string, Keys])[]

export interface KeyboardHelpProps {
  readonly open: boolean
  readonly onClose: () => void
}

export function KeyboardHelp({ open, onClose }: KeyboardHelpProps) {
  const { t } = useTranslation('shell')
  const named = (lines: typeof ANYWHERE | typeof LIST) =>
    lines.map(([what, keys]): readonly [string, Keys] => [t(`keys.${what}`), keys])
  const screens = ROUTES.map(({ name, key }, i): readonly [string, Keys] => [
    t('keys.goTo', { screen: t(name) }),
    [[String(i + 1)], ['g', key]],
  ])
  const section = (title: string, lines: readonly (readonly [words: string, keys: Keys])[]) => (
    <section>
      <h3 className={styles.title}>{title}</h3>
      <dl className={styles.lines}>
        {lines.map(([words, alternatives]) => (
          <Fragment key={words}>
            <dt>{words}</dt>
            <dd>
              {alternatives.map((sequence) => (
                <span key={sequence.join()} className={styles.sequence}>
                  {sequence.map((key) => (
                    <Kbd key={key}>{key === 'space' ? t('keyNames.space') : key}</Kbd>
                  ))}
                </span>
              ))}
            </dd>
          </Fragment>
        ))}
      </dl>
    </section>
  )
  return (
    <Dialog open={open} onClose={onClose} title={t('keys.title')} width={680}>
      <div className={styles.columns}>
        {section(t('keys.list'), named(LIST))}
        {section(t('keys.anywhere'), [...screens, ...named(ANYWHERE)])}
      </div>
    </Dialog>
  )
}
