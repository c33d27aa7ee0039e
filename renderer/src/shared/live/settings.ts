import { create } from 'zustand'
import type { CommandName, Params, Result } from '#contract/commands.ts'
import type { Settings } from '#contract/settings.ts'
import { api } from './api.ts'

export const useSettings = create<{ readonly settings: Settings | null }>()(() => ({ settings: null }))

/** Takes what the host sent, as a result or as a push. */
export const keepSettings = (settings: Settings): void => useSettings.setState({ settings })

/** The commands that answer with the settings as they are then. */
type SettingsCommand = { [C in CommandName]: Result<C> extends Settings ? C : never }[CommandName]

/** Gives such a command, and keeps the host's answer. @throws RefusalError */
export const changeSettings = async <C extends SettingsCommand>(
  command: C,
  params: Params<C>,
): Promise<void> => keepSettings(await api.call(command, params))
