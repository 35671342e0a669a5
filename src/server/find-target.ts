import { basePath } from '../contract/endpoints.ts'

/** The path of the control API, all else of which is loaded with the first request for it. */
const controlPath = '/_sandbox'

/** What a request is for. */
export interface Target {
  /** `elsewhere` is outside of all that the process serves: for the API an unknown path. */
  readonly kind: 'api' | 'control' | 'elsewhere'
  /** The named sandbox; `undefined` for the default one. */
  readonly name: string | undefined
  /** Path and query as the sandbox knows them. */
  readonly url: string
  /** Path and query as the process knows them. */
  readonly local: string
  /** The host and port that an absolute target names. */
  readonly authority: string | undefined
}

const absoluteForm = /^https?:\/\/([^/?#]*)/i

const namedPath = /^\/sandboxes\/([^/?]+)(\/.*|\?.*|)$/s

/**
 * Finds what a request target is for; nothing of ours is under the API's own paths.
 *
 * @param target A path, or a URL as proxies get it (RFC 9112, 3.2.2).
 */
export function findTarget(target: string): Target {
  if (isUnder(target, basePath)) return here('api', target)
  const [origin = '', authority] = absoluteForm.exec(target) ?? []
  const local = target.slice(origin.length)
  const found = findLocal(local)
  // The sandbox itself understands an absolute target, and its journal shows what was sent.
  const url = found.name === undefined && found.kind !== 'control' ? target : found.url
  return { ...found, url, authority }
}

function findLocal(local: string): Target {
  if (isUnder(local, basePath)) return here('api', local)
  if (isUnder(local, controlPath)) return here('control', local)
  if (!isUnder(local, '/sandboxes')) return here('elsewhere', local)
  const [, name, url = ''] = namedPath.exec(local) ?? []
  if (name === undefined) return here('api', local)
  const kind = isUnder(url, controlPath) ? 'control' : 'api'
  return { kind, name, url, local, authority: undefined }
}

function here(kind: Target['kind'], local: string): Target {
  return { kind, name: undefined, url: local, local, authority: undefined }
}

/** Whether a target is a path or something below it. */
function isUnder(target: string, path: string): boolean {
  if (!target.startsWith(path)) return false
  const next = target.charCodeAt(path.length)
  return Number.isNaN(next) || next === slash || next === questionMark
}

const slash = 0x2f
const questionMark = 0x3f
