import { isRecord } from '@batti/kit/json'

/** Whether the browser was told to save data: only what is used is fetched then. */
export function savesData(navigator: Navigator): boolean {
  const connection: unknown = 'connection' in navigator ? navigator.connection : null
  return isRecord(connection) && connection['saveData'] === true
}
