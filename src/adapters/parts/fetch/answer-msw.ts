import type { Answering } from '../../../contract/message.ts'
import { type CorsRequest, corsLines, isPreflight, preflightLines } from '../cors.ts'
import { answerFetch, type FetchDoor, type Line } from './answer-fetch.ts'

/** What a handler of MSW knows of a request, beside that. */
export interface MswDoor extends Pick<FetchDoor, 'targetOf'> {
  /** Lines to add to the headers of the reply. */
  readonly lines: readonly Line[]
}

/** Answers a request that MSW has intercepted. */
export async function answerMsw(
  request: Request,
  sandbox: Answering,
  { targetOf, lines }: MswDoor,
): Promise<Response> {
  const asked = corsPart(request)
  if (isPreflight(asked) || isPreflightOfHappyDom(request)) {
    return new Response(null, { status: 204, headers: pairsOf(preflightLines(asked)) })
  }
  try {
    return await answerFetch(request, sandbox, {
      name: 'msw',
      targetOf,
      disconnect: () => Response.error(),
      headers: () => [...pairsOf(corsLines(asked)), ...lines],
    })
  } catch (error) {
    // Nobody waits any more; MSW would report the error as a bug in the handler.
    if (request.signal.aborted) return Response.error()
    throw error
  }
}

/** The part of a request that CORS looks at. */
function corsPart({ method, headers }: Request): CorsRequest {
  const read = (name: string): string | undefined => headers.get(name) ?? undefined
  return {
    method,
    headers: {
      origin: read('origin'),
      'access-control-request-method': read('access-control-request-method'),
      'access-control-request-headers': read('access-control-request-headers'),
    },
  }
}

/** Whether a request is a preflight of happy-dom, whose `Request` drops all headers by which one is known. */
function isPreflightOfHappyDom({ method, headers }: Request): boolean {
  if (method !== 'OPTIONS' || headers.has('authorization')) return false
  return headers.get('user-agent')?.includes('HappyDOM/') === true
}

/** @param lines Alternating names and values. */
function pairsOf(lines: readonly string[]): Line[] {
  return lines.flatMap((name, index) => (index % 2 === 0 ? [[name, lines[index + 1] ?? '']] : []))
}
