import { listFirmwareFiles, type FirmwareState } from '@batti/contracts'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import type { ApiClient } from '#web/lib/api/api-client.ts'

const mostNames = 100

/**
 * Returns whether the server has this image, byte by byte and in this state, although its upload seemed to fail; false
 * if the server cannot be asked. Browsers offer their own checksum only to pages over HTTPS.
 */
export async function isKept(
  api: Pick<ApiClient, 'call'>,
  { file, state, signal }: { file: File; state: FirmwareState; signal: AbortSignal }
): Promise<boolean> {
  try {
    const query = { search: file.name, page: 1, limit: mostNames }
    const { files } = await api.call(listFirmwareFiles, { query, signal })
    const kept = files.find((each) => each.filename === file.name)
    if (kept === undefined || kept.size !== file.size || kept.state !== state) return false
    return kept.sha256 === bytesToHex(sha256(new Uint8Array(await file.arrayBuffer())))
  } catch {
    return false
  }
}
