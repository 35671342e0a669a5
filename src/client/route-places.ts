import { allRoutes } from '../control/http/routes/routes.ts'
import { mapTable } from '../input/record.ts'

/**
 * Where each control is, and how the typed one's argument is sent. The build evaluates this file, so that the package
 * has the places without the schemas and texts of the routes (decisions/019-a-client-made-of-the-routes.md).
 */
export const routePlaces = mapTable(allRoutes, (name) => {
  const { method, path, wraps } = allRoutes[name]
  return { method, path, wraps }
})
