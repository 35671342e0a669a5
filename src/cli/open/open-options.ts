import { object, withDefault } from '../../input/object.ts'
import { described } from '../../input/schema.ts'
import { flag, whole } from '../../input/values.ts'

/** The options of `open`. */
export const openOptions = object({
  port: withDefault(described('Port to show it on; 0 for any free port', whole(0, 65_535)), 0),
  browser: withDefault(
    described('Open the browser; --no-browser only prints the address', flag),
    true,
  ),
})
