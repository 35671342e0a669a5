/**
 * Stands in for the parsers of bodies that come with Express, whose tables of characters cost a fifth of the start-up:
 * the server reads bodies itself, and the Express of its bundle exports nothing.
 */
function missing(): never {
  throw new TypeError('Cannot parse a body: this Express has no parsers; import express yourself')
}

export { missing as json, missing as raw, missing as text, missing as urlencoded }
