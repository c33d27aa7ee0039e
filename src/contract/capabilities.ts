/** What a host can do; ask for these, never for a platform. */
export interface Capabilities {
  /** Secrets go to the operating system's store; false: an 0600 file in the data folder. */
  readonly osSecretStore: boolean
  /** The system's own store is there but does not protect ("basic_text" on Linux): the user must be told. */
  readonly weakSecretStore: boolean
  /** The host has a window of its own (menu, tray, native notifications). */
  readonly nativeWindow: boolean
  /** `ui.link` can make a fresh one-time link for a browser. */
  readonly uiLinks: boolean
}
