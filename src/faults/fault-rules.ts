import { variant } from '../input/object.ts'
import type { Given, Read, Schema } from '../input/schema.ts'
import { faultKinds } from './fault-kinds.ts'

/** A fault as a caller writes it. */
export type FaultSettings = Given<(typeof faultKinds)[keyof typeof faultKinds]>

/** A fault that was read. */
export type AnyFaultRule = Read<(typeof faultKinds)[keyof typeof faultKinds]>

/** A fault from outside. */
export const faultRule: Schema<FaultSettings, AnyFaultRule> = variant(
  'fault',
  faultKinds,
  '{ "fault": "latency", "ms": 500 }',
)

/** A fault from outside, as its caller writes it. */
export const faultSettings: Schema<FaultSettings> = {
  ...faultRule,
  read: (found) => faultRule.read(found).settings,
  write: (settings) => settings,
}
