/** Stands in for Express's body parsers and file server, and the table of media types that they need. */
export default {}
