/** Writes a Mockoon environment that keeps pets in memory, with its own list and create operations. */
export function mockoonEnvironment(pets: readonly unknown[]): unknown {
  return {
    uuid: uuid(0),
    lastMigration: 33,
    name: 'pets',
    endpointPrefix: 'v1',
    rootChildren: [{ type: 'route', uuid: uuid(1) }],
    routes: [
      {
        uuid: uuid(1),
        type: 'crud',
        documentation: '',
        method: '',
        endpoint: 'pets',
        responses: [crudResponse],
        responseMode: null,
        streamingMode: null,
        streamingInterval: 0,
      },
    ],
    data: [
      { uuid: uuid(3), id: 'pets', name: 'pets', documentation: '', value: JSON.stringify(pets) },
    ],
  }
}

const crudResponse = {
  uuid: uuid(2),
  body: '{}',
  latency: 0,
  statusCode: 200,
  label: '',
  headers: [{ key: 'Content-Type', value: 'application/json' }],
  bodyType: 'DATABUCKET',
  filePath: '',
  databucketID: 'pets',
  sendFileAsBody: false,
  rules: [],
  rulesOperator: 'OR',
  disableTemplating: false,
  fallbackTo404: false,
  default: true,
  crudKey: 'id',
  callbacks: [],
}

function uuid(number: number): string {
  return `00000000-0000-4000-8000-00000000000${number}`
}
