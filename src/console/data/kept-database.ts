import type { KeptStorage } from './kept-files.ts'

const [databaseName, storeName, listKey] = ['petstore-sandbox', 'console', 'kept']

/** Returns the browser's own storage, which lasts until the user removes the files; empty if it has none. */
export function keptDatabase(): KeptStorage {
  const open = (): Promise<IDBDatabase> => {
    const request = indexedDB.open(databaseName, 1)
    request.onupgradeneeded = () => request.result.createObjectStore(storeName)
    return resultOf(request)
  }
  const storeIn = (database: IDBDatabase, mode: IDBTransactionMode): IDBObjectStore =>
    database.transaction(storeName, mode).objectStore(storeName)
  return {
    async load() {
      const found: unknown = await resultOf(storeIn(await open(), 'readonly').get(listKey))
      return Array.isArray(found) ? found : []
    },
    async save(files) {
      await resultOf(storeIn(await open(), 'readwrite').put([...files], listKey))
    },
  }
}

function resultOf<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}
