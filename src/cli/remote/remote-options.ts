import { object, optional, type ReadOf, withDefault } from '../../input/object.ts'
import { described } from '../../input/schema.ts'
import { flag, text } from '../../input/values.ts'
import { defaultPort } from '../../server/default-port.ts'
import { journalFilter } from '../../state/journal-entry.ts'

/** Where a sandbox is served unless it is told otherwise. */
export const defaultUrl = `http://127.0.0.1:${defaultPort}`

/** The options by which a command finds a running sandbox. */
export const remoteOptions = object({
  url: optional(
    described('Where the sandbox is served', text(), {
      default: `$PETSTORE_SANDBOX_URL or ${defaultUrl}`,
    }),
  ),
  sandbox: optional(described('Name of one of its sandboxes', text())),
  'control-token': optional(
    described('Token of its control API', text(), { default: '$PETSTORE_SANDBOX_CONTROL_TOKEN' }),
  ),
  json: withDefault(described('Print JSON', flag), false),
  quiet: withDefault(described('Print only the name or id of what was made', flag), false),
})

/** Where a running sandbox is, and how to print its answer. */
export type RemoteOptions = ReadOf<typeof remoteOptions.properties>

const { quiet: _quiet, ...asking } = remoteOptions.properties

/** The options of a command that changes nothing. */
export const askingOptions = object(asking)

/** Asks for the whole of a list. */
export const allOption = withDefault(described('Print all of a long list', flag), false)

/** The options of `requests`. */
export const requestsOptions = object({
  ...asking,
  follow: withDefault(described('Go on with new requests as they come', flag), false),
  har: withDefault(described("Print HAR 1.2, for a browser's developer tools", flag), false),
  all: allOption,
  ...journalFilter.properties,
})

/** The options of `gaps`. */
export const gapsOptions = object({
  ...asking,
  matter: withDefault(
    described('List the choices that would have changed a reply of a running sandbox', flag),
    false,
  ),
  replies: withDefault(described('With --matter: print the replies, too', flag), false),
  all: allOption,
})

export type GapsOptions = ReadOf<typeof gapsOptions.properties>

export type RequestsOptions = ReadOf<typeof requestsOptions.properties>
