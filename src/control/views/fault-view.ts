import { asGiven, named, type Schema } from '../../input/schema.ts'
import { type Fault, savedFault } from '../../state/faults.ts'

/** A fault as the controls show it. */
export const faultView: Schema<Fault> = named('Fault', asGiven(savedFault))
