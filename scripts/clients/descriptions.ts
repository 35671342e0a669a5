import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The OpenAPI descriptions that the process serves, by the name of their API. */
const paths = {
  api: '/_sandbox/openapi.json',
  control: '/_sandbox/control.openapi.json',
} as const

export type ApiName = keyof typeof paths

/** The APIs that are described. */
export const apiNames = Object.keys(paths) as readonly ApiName[]

/** Gives the file of a description in a folder. */
export function fileOf(api: ApiName, folder: string): string {
  return join(folder, `${api}.json`)
}

/** Writes the descriptions into a folder, as the built process serves them. */
export async function saveDescriptions(folder: string): Promise<void> {
  const built = new URL('../../dist/server.js', import.meta.url).href
  const { startServer }: typeof import('../../src/server/start-server.ts') = await import(built)
  const server = await startServer({ port: 0 })
  try {
    for (const api of apiNames) {
      const reply = await fetch(server.url + paths[api])
      if (!reply.ok) throw new Error(`Cannot read ${paths[api]}: found status ${reply.status}`)
      writeFileSync(fileOf(api, folder), await reply.text())
    }
  } finally {
    await server.close()
  }
}
