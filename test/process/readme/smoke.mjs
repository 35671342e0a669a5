const { PETSTORE_API_URL, PETSTORE_KEY } = process.env
const headers = { authorization: `Bearer ${PETSTORE_KEY}`, 'content-type': 'application/json' }

async function send(path, options) {
  const response = await fetch(PETSTORE_API_URL + path, { headers, ...options })
  if (!response.ok) throw new Error(`The service responded with ${response.status}`)
  return await response.json()
}

const calls = {
  listPets: () => send('/pets?limit=100'),
  listSold: () => send('/pets?limit=100&status=sold'),
  createPet: () => send('/pets', { method: 'POST', body: '{"name":"Rex","categoryId":1}' }),
  listOne: () => send('/pets?limit=1'),
}
const [, , only] = process.argv
for (const name of only ? [only] : Object.keys(calls)) await calls[name]()
