import {
  fromTexts,
  type ObjectSchema,
  object,
  optional,
  type Properties,
  type ReadOf,
  withDefault,
} from '../../input/object.ts'
import { described } from '../../input/schema.ts'
import { flag, text } from '../../input/values.ts'
import { defaultPort } from '../../server/default-port.ts'
import { journalFilter } from '../../state/journal-entry.ts'
import { readEach } from '../usage/read-each.ts'

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
  quiet: withDefault(described('Print nothing but the name of what was made', flag), false),
})

/** Where a running sandbox is, and how to print its answer. */
export type RemoteOptions = ReadOf<typeof remoteOptions.properties>

const { quiet: _quiet, ...asking } = remoteOptions.properties

/** The options of a command that changes nothing. */
export const askingOptions = object(asking)

/** The options of `requests`. */
export const requestsOptions = object({
  ...asking,
  follow: withDefault(described('Continue with new requests', flag), false),
  har: withDefault(described("Print HAR 1.2, for a browser's developer tools", flag), false),
  ...journalFilter.properties,
})

/** The options of `gaps`. */
export const gapsOptions = object({
  ...asking,
  matter: withDefault(
    described(
      'Show which choices matter to the requests that a running sandbox has received',
      flag,
    ),
    false,
  ),
  replies: withDefault(described('Show the replies too, with --matter', flag), false),
})

export type GapsOptions = ReadOf<typeof gapsOptions.properties>

export type RequestsOptions = ReadOf<typeof requestsOptions.properties>

/**
 * Reads the options of a command for a running sandbox; an empty variable counts as unset.
 *
 * @throws {@link InputError} naming the option.
 */
export function readRemoteOptions<All extends Properties>(
  schema: ObjectSchema<All>,
  texts: Readonly<Record<string, string>>,
  { PETSTORE_SANDBOX_URL: url, PETSTORE_SANDBOX_CONTROL_TOKEN: token }: NodeJS.ProcessEnv,
): ReadOf<All> {
  const variables = { ...(url && { url }), ...(token && { 'control-token': token }) }
  return readEach(schema, { ...variables, ...fromTexts(schema, texts) }, (name) => `--${name}`)
}
