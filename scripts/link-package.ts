/** Lets `examples/` import the package by its name, as if npm had installed it beside the other packages. */
import { existsSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const packageFolder = fileURLToPath(new URL('..', import.meta.url))
const link = fileURLToPath(new URL('../node_modules/petstore-sandbox', import.meta.url))

// Left alone where it is right: tests may be running that import by it.
if (!existsSync(link) || realpathSync(link) !== realpathSync(packageFolder)) {
  rmSync(link, { force: true })
  // Windows lets everyone make junctions; elsewhere the kind is ignored.
  symlinkSync(packageFolder, link, 'junction')
}
