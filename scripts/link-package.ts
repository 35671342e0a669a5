/** Lets `examples/` import the package by its name, as if npm had installed it beside the other packages. */
import { rmSync, symlinkSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const packageFolder = fileURLToPath(new URL('..', import.meta.url))
const link = fileURLToPath(new URL('../node_modules/petstore-sandbox', import.meta.url))

rmSync(link, { force: true })
// Windows lets everyone make junctions; elsewhere the kind is ignored.
symlinkSync(packageFolder, link, 'junction')
