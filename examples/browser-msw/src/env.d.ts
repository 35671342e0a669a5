interface ImportMetaEnv {
  /** The address of the API; without it, MSW answers within the page. */
  readonly VITE_API_URL?: string
  /** `free-key` by default. */
  readonly VITE_API_KEY?: string
}
