/**
 * Stands in for `qs`, which Express reads queries with if its setting `query parser` is `extended`; without it, Node's
 * own parser does. The Express of the bundle is only the server's.
 */
function missing(): never {
  throw new TypeError("Cannot read a query: this Express has no extended parser; use 'simple'")
}

export { missing as parse }
