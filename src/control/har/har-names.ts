import { replyHeaders } from '../../contract/http/headers.ts'
import { mapTable, namesOf } from '../../input/record.ts'
import { factProperties } from '../../state/journal-entry.ts'

/** The headers of replies as they are spelled; this module is evaluated at the build, so that an archive needs no others. */
export const spellings: Readonly<Record<string, string>> = mapTable(
  replyHeaders,
  (name) => replyHeaders[name].spelling,
)

/** The facts that an archive has of an exchange. */
export const factNames: readonly (keyof typeof factProperties)[] = namesOf(factProperties)
