import { endpoints } from '../../contract/endpoints.ts'
import { type FaultName, faultKinds } from '../../faults/fault-rules.ts'
import { namesOf } from '../../input/record.ts'
import { calls, underFault } from './calls.ts'
import type { Cell } from './cell.ts'

const { sunsetAt } = endpoints.getPet.deprecated

const sunset = new Date(sunsetAt).toISOString().slice(0, 'YYYY-MM-DD'.length)

/** What a client has to live through, besides faults (spec 4.3, 5, 8). */
const situations = {
  lastOfMinute: {
    cell: 'last request of a window',
    how: `sandbox.keys.setRemaining('free-key', { minute: 1 }); ${calls.listPets}`,
  },
  byMinute: {
    cell: '429 by minute',
    how: `sandbox.keys.setRemaining('free-key', { minute: 0 }); ${calls.listPets}`,
  },
  byDay: {
    cell: '429 by day',
    how: `sandbox.keys.setRemaining('free-key', { day: 0 }); ${calls.listPets}`,
  },
  afterWait: {
    cell: 'served again after 429',
    how: `sandbox.keys.setRemaining('free-key', { minute: 0 }); ${calls.listPets}; sandbox.clock.advance('1m'); ${calls.listPets}`,
  },
  banned: {
    cell: 'banned',
    how: `sandbox.keys.change('free-key', { ban: '5m' }); ${calls.listPets}`,
  },
  afterBan: {
    cell: 'served again after a ban',
    how: `sandbox.keys.change('free-key', { ban: '5m' }); ${calls.listPets}; sandbox.clock.advance('6m'); ${calls.listPets}`,
  },
  keyMissing: {
    cell: 'key missing',
    how: calls.listPets.replace('client()', 'client(null)'),
  },
  keyUnknown: {
    cell: 'key unknown',
    how: calls.listPets.replace('client()', "client('unknown-key')"),
  },
  keyExpired: {
    cell: 'key expired',
    how: `sandbox.keys.change('free-key', { expiresAt: sandbox.clock.now() }); ${calls.listPets}`,
  },
  keyRevoked: {
    cell: 'key revoked',
    how: `sandbox.keys.change('free-key', { revoked: true }); ${calls.listPets}`,
  },
  deprecated: {
    cell: 'deprecation announced',
    how: calls.getPet,
  },
  removed: {
    cell: 'operation removed',
    how: `sandbox.clock.set('${sunset}'); ${calls.getPet}`,
  },
  replyLost: {
    cell: 'createPet took effect, reply lost',
    how: underFault({ fault: 'disconnect', operation: 'createPet' }, 'createPet'),
  },
} as const satisfies Readonly<Record<string, Cell>>

/** The cell of a situation that is no fault. */
export type Situation = (typeof situations)[keyof typeof situations]['cell']

/** The settings with which each kind of fault is tried. */
const settings: Readonly<Record<FaultName, object>> = {
  status: { status: 503 },
  latency: { ms: '1s' },
  'rate-limit': {},
  disconnect: {},
  timeout: {},
  'malformed-json': {},
  'truncated-body': {},
  'slow-body': { ms: '1s' },
}

/** What a client has to live through, each kind of fault included. */
export const situationCells: readonly Cell[] = [
  ...Object.values(situations),
  ...namesOf(faultKinds).map((fault) => ({
    cell: `fault ${fault}`,
    how: underFault({ fault, ...settings[fault] }, 'listPets'),
  })),
]
