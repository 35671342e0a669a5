import { describe, expect, it } from 'vitest'
import { sheetPage } from '../../../../src/cli/screenshots/sheet.ts'
import { isBroken, judge, type PageState } from '../../../../src/cli/screenshots/states.ts'

const size = { width: 600, height: 400 }

/** A state of a page that looks as it should. */
function stateOf(change: Partial<PageState> = {}): PageState {
  const name = change.name ?? 'as it is'
  return {
    name,
    title: name,
    summary: 'Nothing fails',
    size,
    scheme: 'light',
    picture: `${name}.png`,
    pictureHash: name,
    text: name,
    isBlank: false,
    isBusy: false,
    isTooWide: false,
    uncaught: [],
    consoleErrors: [],
    requests: [requestOf('200')],
    findings: [],
    ...change,
  }
}

function requestOf(got: string, message?: string) {
  return { method: 'GET', path: '/pets', got, why: 'because', message }
}

const flawsOf = (...states: readonly PageState[]) =>
  judge(states).map(({ name, flaws }) => [name, flaws.map(({ kind }) => kind)])

describe('judge()', () => {
  it.each<{ what: string; change: Partial<PageState>; kinds: readonly string[] }>([
    { what: 'a page as it should be', change: {}, kinds: [] },
    {
      what: 'an uncaught error',
      change: { uncaught: ['x is undefined'] },
      kinds: ['uncaught-error'],
    },
    { what: 'a blank page', change: { isBlank: true, text: '' }, kinds: ['blank-page'] },
    { what: 'a page that loads for ever', change: { isBusy: true }, kinds: ['still-loading'] },
    {
      what: 'a page that waits for Retry-After',
      change: { isBusy: true, requests: [requestOf('429'), requestOf('429')] },
      kinds: [],
    },
    {
      what: 'a page that sends a request on after two 429s',
      change: { isBusy: true, requests: Array.from({ length: 3 }, () => requestOf('429')) },
      kinds: ['still-loading'],
    },
    {
      what: 'text of the API',
      change: {
        text: 'Oh no. Cannot  authenticate:\nno key',
        requests: [requestOf('401', 'Cannot authenticate: no key')],
      },
      kinds: ['api-text'],
    },
    { what: 'a page that scrolls sideways', change: { isTooWide: true }, kinds: ['too-wide'] },
    {
      what: 'an error in the console',
      change: { consoleErrors: ['Oops'] },
      kinds: ['console-error'],
    },
    {
      what: "the browser's line for an error response",
      change: { consoleErrors: ['Failed to load resource: the server responded with 503'] },
      kinds: [],
    },
  ])('finds of $what: $kinds', ({ change, kinds }) => {
    expect(flawsOf(stateOf(change))).toEqual([['as it is', kinds]])
  })

  it('finds two states that look alike only if the page got something else', () => {
    const alike = { pictureHash: 'same', text: 'Oh no' }
    const unreachable = stateOf({
      ...alike,
      name: 'unreachable',
      requests: [requestOf('connection broken')],
    })
    const unreadable = stateOf({
      ...alike,
      name: 'unreadable',
      requests: [requestOf('200, unreadable')],
    })
    const expired = stateOf({
      name: 'key-expired',
      pictureHash: '401',
      requests: [requestOf('401')],
    })
    const revoked = stateOf({ ...expired, name: 'key-revoked', text: expired.text })
    expect(flawsOf(unreachable, unreadable, expired, revoked)).toEqual([
      ['unreachable', ['looks-alike']],
      ['unreadable', ['looks-alike']],
      ['key-expired', []],
      ['key-revoked', []],
    ])
  })

  it('says of pages that are still loading only this', () => {
    const loading = { pictureHash: 'same', text: 'Loading', isBusy: true }
    const hanging = stateOf({ ...loading, name: 'hanging', requests: [requestOf('no response')] })
    const down = stateOf({ ...loading, name: 'down', requests: [requestOf('503')] })
    expect(flawsOf(hanging, down)).toEqual([
      ['hanging', ['still-loading']],
      ['down', ['still-loading']],
    ])
  })

  it('puts what looks wrong first', () => {
    const states = [
      stateOf(),
      stateOf({ name: 'down', consoleErrors: ['Oops'] }),
      stateOf({ name: 'hanging', isBlank: true }),
      stateOf({ name: 'banned', uncaught: ['x is undefined'] }),
    ]
    const judged = judge(states)
    expect(judged.map(({ name }) => name)).toEqual(['banned', 'hanging', 'down', 'as it is'])
    expect(judged.map(isBroken)).toEqual([true, true, false, false])
  })
})

describe('sheetPage()', () => {
  it('lets no text of a page out of its place', () => {
    const evil = '"><script>alert(1)</script>\u001b[31m\u202e'
    const states = judge([
      stateOf({ uncaught: [evil], requests: [requestOf('200', evil)], summary: evil }),
    ])
    const page = sheetPage({
      url: `http://localhost/${evil}`,
      at: '',
      apis: [evil],
      notes: [evil],
      states,
    })
    expect(page).not.toContain('<script')
    expect(page).toContain('&quot;&gt;&lt;script&gt;')
    // R3
    expect(page).not.toMatch(/(?!\n)[\p{Cc}\p{Bidi_Control}]/u)
  })
})
