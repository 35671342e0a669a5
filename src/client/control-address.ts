import { InputError, MissingError } from '../input/input-error.ts'
import { show } from '../input/show.ts'

/**
 * The address of a sandbox's control API.
 *
 * @param url Where the process serves; the address of an API, ending in `/v1` or `/_sandbox`, will do too.
 * @param sandbox The name of one of its sandboxes; its default one without.
 * @throws {@link InputError} for what is no such address.
 */
export function controlAddress(url: string, sandbox: string | undefined): string {
  const { protocol, username, origin, pathname } = URL.canParse(url) ? new URL(url) : noUrl
  if (!/^https?:$/.test(protocol) || username !== '') {
    throw new InputError(
      `Cannot use ${show(url)} as the address of a sandbox: use one such as http://127.0.0.1:7387`,
      ['url'],
    )
  }
  const root = pathname.replace(/\/+$/, '').replace(/\/(?:v1|_sandbox)$/, '')
  const prefix = sandbox === undefined ? '' : `/sandboxes/${inPath(sandbox)}`
  return `${origin}${root}${prefix}/_sandbox`
}

const noUrl = { protocol: '', username: '', origin: '', pathname: '' }

/**
 * Writes a name or id as a part of a URL's path.
 *
 * @throws {@link MissingError} for one that a URL would take for a step up or down.
 */
export function inPath(name: unknown): string {
  const text = String(name)
  if (!/^\.{0,2}$/.test(text)) return encodeURIComponent(text)
  throw new MissingError(`Cannot find ${show(text)}: nothing can have this name`)
}
