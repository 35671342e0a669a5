import { createSandbox, type Sandbox } from 'petstore-sandbox'
import { createFetchHandler, type FetchHandler } from 'petstore-sandbox/fetch'

const kept = globalThis as { sandbox?: Sandbox }

// Kept, since Next.js loads this file anew after each change.
kept.sandbox ??= createSandbox()

const isProduction = process.env.NODE_ENV === 'production'
const handle: FetchHandler = isProduction
  ? async () => new Response(null, { status: 404 })
  : createFetchHandler(kept.sandbox)

export { handle as DELETE, handle as GET, handle as POST, handle as PUT }
