import type { Schema } from '../../input/schema.ts'
import { text } from '../../input/values.ts'

const method = text({ use: 'a method such as GET', pattern: /^[A-Za-z]+$/, most: 100 })

/** The name of a method from outside, read as upper case. */
export const methodName: Schema<string> = {
  ...method,
  read: (found) => method.read(found).toUpperCase(),
}
