/** What hosts with processes have, and pages have not. */
interface Host {
  readonly process?: { readonly env?: Readonly<Record<string, string | undefined>> }
}

/** The folder that collects what all processes have met; `undefined` for none. */
export function coverageFolder({ process: found }: Host = globalThis): string | undefined {
  return found?.env?.PETSTORE_COVERAGE_DIR || undefined
}
