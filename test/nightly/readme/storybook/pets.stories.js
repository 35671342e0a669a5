import { render } from './app.js'

export default { render }

export const Usual = {}
export const Empty = { parameters: { scenario: 'empty' } }
export const Down = { parameters: { scenario: 'down' } }
export const Banned = { parameters: { scenario: 'banned' } }
