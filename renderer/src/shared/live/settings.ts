import { create } from 'zustand'
import type { CommandName, Params, Result } from '#contract/commands.ts'
import type { Settings } from '#contract/settings.ts'
import { api } from './api.ts'

export const useSettings = create<{ readonly settings: Settings | null }>()(() => ({ settings: null }))

/** Stores settings that the host sent as a result or a push. */
export const keepSettings = (settings: Settings): void => useSettings.setState({ settings })

/** Commands whose result is the current settings. */
type SettingsCommand = { [C in CommandName]: Result<C> extends Settings ? C : never }[CommandName]

/** Sends such a command and stores the resulting settings. @throws RefusalError */
export const changeSettings = async <C extends SettingsCommand>(
  command: C,
  params: Params<C>,
): Promise<void> => keepSettings(await api.call(command, params))
