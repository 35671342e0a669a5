import places from '../styles/places.css?inline'

/** Adds the styles of the places beside *Requests*; after those that are there, as in the console. */
export function addPlaceStyles(root: Node): void {
  if (!(root instanceof ShadowRoot)) return
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(places)
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet]
}
