/** What an exchange can be like, or come after: by this it is shown only to the rules that it may matter to. */
export const traits = {
  lost: "Its client can't know what came of it.",
  refused: 'It was refused.',
  'told to wait': 'It was refused, and its client was told when to come back.',
  spent: 'Nothing is left in a window.',
  parallel: 'Its origin has had two requests under way.',
  connected: 'It came over a connection that is known.',
  'over HTTP': 'It came over HTTP.',
  'long id': 'It has room for the id of a pet that no double holds, or adds such a pet.',
  'new words': 'Its origin has not sent the same target, body and headers before.',
  'newly served': 'It is served, and was not before under the same choices at gaps.',
  'new get': 'It asks for one pet, in new words or newly served.',
  'new list': 'It asks for a list, in new words, or gets another one than before.',
  'again after a pause': 'The same was asked before, and not just now.',
  'get after list': 'It asks for one pet, after a list.',
  'third alike':
    'Its reply arrived with the status of its two latest tries, and the one before them had not.',
  'after refusal': 'Its origin was told to come back later.',
  'after any refusal': 'Somebody was refused before.',
  'after outage': 'Its origin knew that the service or connection had failed for the same request.',
  'after loss': 'Its origin has lost an answer.',
} as const

export type Trait = keyof typeof traits
