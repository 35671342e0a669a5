import { pageLimit } from '../../contract/endpoints.ts'
import type { GapChoices } from '../../contract/gaps.ts'
import type { Headers } from '../../contract/message.ts'
import type { Exchange } from '../../state/exchange.ts'
import { plainHeaders } from '../keys/plain-headers.ts'
import { keptText, type Seen } from '../seen.ts'
import type { Company } from './company.ts'

/** How many requests are remembered; then all are forgotten. */
const keptRequests = 32

/** The longest headers that are remembered, in characters. */
const keptHeaders = 4_096

/** A request that was sent before. */
class Said {
  readonly url: string
  readonly body: string
  /** The last time. */
  last: Seen
  /** Whether it has got a whole reply: what a broken one hid may show in the next. */
  isAnswered = false
  /** The choices at gaps under which it was served last. */
  servedUnder: GapChoices | undefined = undefined
  /** The span of time in which it was sent last. */
  span = 0
  /** The number of the list that it got, and how many pets would have fitted. */
  list: number | undefined = undefined
  pets = 0

  constructor(last: Seen) {
    this.url = last.url
    this.body = last.body
    this.last = last
  }
}

const noHeaders: Headers = {}

const noLines: readonly string[] = []

/** So many pets fit on no page: how many more there are makes no list another one. */
const manyPets = pageLimit.maximum + 1

/** What an origin has said, and what it got: who looks only for that need not look at the same again. */
export class Heard {
  /** Whether the latest request has words that are new. */
  isNew = true
  /** Whether it is also served for the first time under its choices at gaps. */
  isNewlyServed = true
  /** Whether the list that it got is another one. */
  isNewList = true
  /** Whether there may have been a pause of a poll since the same request before. */
  mayBePoll = false
  /** The same request, the last time before. */
  previous: Seen | undefined
  #said: Map<string, Said> | undefined
  #headers = noHeaders
  /** The same, names and values in turn. */
  #lines = noLines
  readonly #company: Company

  constructor(company: Company) {
    this.#company = company
  }

  /** Hears a request, and what it got. */
  hear(seen: Seen, { request, outcome, gaps, total }: Exchange): void {
    const { url, body, status } = seen
    const hasHeaders = this.#hasHeaders(request.headers)
    const asked = body === '' ? url : body
    let said = this.#said?.get(asked)
    const isKnown = said !== undefined && said.url === url && said.body === body
    this.previous = isKnown ? said?.last : undefined
    if (said === undefined || !isKnown) said = this.#remember(asked, seen)
    said.last = seen
    const span = this.#company.spanOf(seen)
    this.mayBePoll = said.span !== span
    said.span = span
    const isLong = request.url.length > keptText || request.body.length > keptText
    this.isNew = !isKnown || !said.isAnswered || !hasHeaders || isLong
    if (outcome.kind === 'reply') said.isAnswered = true
    const isServed = status !== undefined && status < 300
    this.isNewlyServed = isServed && (this.isNew || said.servedUnder !== gaps)
    if (isServed) said.servedUnder = gaps
    if (seen.operation !== 'listPets' || !('body' in outcome)) {
      this.isNewList = false
      return
    }
    const list = isServed ? this.#company.numberOf(outcome.body) : undefined
    const pets = Math.min(total ?? 0, manyPets)
    this.isNewList = this.isNew || said.list !== list || said.pets !== pets
    said.list = list
    said.pets = pets
  }

  forget(): void {
    this.#said = undefined
    this.#headers = noHeaders
    this.#lines = noLines
    this.previous = undefined
  }

  #remember(asked: string, seen: Seen): Said {
    if (this.#said === undefined || this.#said.size >= keptRequests) this.#said = new Map()
    const said = new Said(seen)
    this.#said.set(asked, said)
    return said
  }

  /** Whether all headers were sent before that could say anything; from now on they were. */
  #hasHeaders(headers: Headers): boolean {
    if (headers === this.#headers) return true
    let place = 0
    for (const name in headers) {
      const value = headers[name] ?? ''
      // Most come in the same order, and need no look-up.
      const isSame =
        this.#lines[place] === name
          ? this.#lines[place + 1] === value
          : this.#headers[name] === value
      place += 2
      if (isSame || (name !== 'authorization' && plainHeaders.has(name))) continue
      this.#keepHeaders(headers)
      return false
    }
    return true
  }

  #keepHeaders(headers: Headers): void {
    const lines: string[] = []
    let length = 0
    for (const name in headers) {
      const value = headers[name] ?? ''
      lines.push(name, value)
      length += name.length + value.length
    }
    this.#headers = length > keptHeaders ? noHeaders : headers
    this.#lines = length > keptHeaders ? noLines : lines
  }
}
