import { IncomingMessage, ServerResponse } from 'node:http'
import type { Express } from 'express'

/** The classes that a Node server makes its requests and responses from. */
export interface HostClasses {
  readonly IncomingMessage: typeof IncomingMessage
  readonly ServerResponse: typeof ServerResponse
}

/**
 * Gives an Express app classes whose objects already are Express's own.
 *
 * Express changes the prototype of each request and response; an engine makes every later use of such an object
 * slow. With the prototypes already in place the change does nothing.
 */
export function hostClasses(app: Express): HostClasses {
  class ExpressRequest extends IncomingMessage {}
  class ExpressResponse extends ServerResponse {}
  copyMethods(app.request, ExpressRequest.prototype)
  copyMethods(app.response, ExpressResponse.prototype)
  app.request = ExpressRequest.prototype as typeof app.request
  app.response = ExpressResponse.prototype as typeof app.response
  return {
    IncomingMessage: ExpressRequest,
    ServerResponse: ExpressResponse as typeof ServerResponse,
  }
}

/** Copies what an app's prototype has, and what it inherits from Express, but not from Node. */
function copyMethods(source: object, target: object): void {
  const inherited = Object.getPrototypeOf(source) as object
  Object.defineProperties(target, {
    ...Object.getOwnPropertyDescriptors(inherited),
    ...Object.getOwnPropertyDescriptors(source),
  })
}
