import { join } from 'node:path'

/** The folder of the whole project. */
export const projectFolder = join(import.meta.dirname, '../../..')
