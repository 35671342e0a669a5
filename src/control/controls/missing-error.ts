import { InputError } from '../../input/input-error.ts'

/** Something named that there isn't; over HTTP a 404. */
export class MissingError extends InputError {}
