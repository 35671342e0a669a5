import { variant } from '../input/object.ts'
import { asGiven, type Given, type Read, type Schema } from '../input/schema.ts'
import { faultKinds } from './fault-kinds.ts'

/** A fault as callers write it. */
export type FaultSettings = Given<(typeof faultKinds)[keyof typeof faultKinds]>

/** A parsed fault, of any kind. */
export type AnyFaultRule = Read<(typeof faultKinds)[keyof typeof faultKinds]>

/** A fault from outside. */
export const faultRule: Schema<FaultSettings, AnyFaultRule> = variant(
  'fault',
  faultKinds,
  '{ "fault": "latency", "ms": 500 }',
)

/** A fault from outside, checked and kept as callers write it. */
export const faultSettings: Schema<FaultSettings> = asGiven(faultRule)
