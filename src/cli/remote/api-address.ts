import { controlAddress } from '../../client/remote.ts'
import { basePath } from '../../contract/endpoints.ts'
import type { RemotePlace } from './connect.ts'
import { defaultUrl } from './remote-options.ts'

/** Where the API of a running sandbox is. */
export function apiAddress({ url = defaultUrl, sandbox }: RemotePlace): string {
  return controlAddress(url, sandbox).replace(/\/_sandbox$/, basePath)
}
