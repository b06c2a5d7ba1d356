import { copyFileSync, renameSync, rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Client } from '../src/clients.ts'
import { decodeDocument } from '../src/bson/decode.ts'
import { encodeDocument } from '../src/bson/encode.ts'
import type { Document } from '../src/bson/document.ts'
import { dispatch } from '../src/commands/dispatch.ts'
import { openEngine, type Engine, type EngineOptions } from '../src/engine.ts'

export interface InProcess {
  engine: Engine
  file: string
  client: Client
  /** Runs a command like a client, without a socket. */
  run(command: Document): Promise<Document>
  /** Closes the engine and opens the file again. */
  reopen(): void
  /** Opens the file as a process that is killed now would leave it. */
  kill(): void
  close(): Promise<void>
}

/** Opens an engine on its own file, for tests without the wire protocol. */
export async function openInProcess(options: Omit<EngineOptions, 'path'> = {}): Promise<InProcess> {
  const folder = await mkdtemp(join(tmpdir(), 'batti-engine-'))
  const file = join(folder, 'batti.db')
  const client: Client = { id: 1, sessions: new Set(), signal: new AbortController().signal }
  const self: InProcess = {
    engine: openEngine({ path: file, ...options }),
    file,
    client,
    run: async (command) => {
      const sent = decodeDocument(encodeDocument({ ...command, $db: 'test' }))
      return decodeDocument(Buffer.concat(await dispatch(self.engine, client, sent)))
    },
    reopen: () => {
      self.engine.close()
      self.engine = openEngine({ path: file, ...options })
    },
    kill: () => {
      for (const suffix of ['', '-wal']) copyFileSync(file + suffix, `${file}.killed${suffix}`)
      self.engine.close()
      for (const suffix of ['-wal', '-shm']) rmSync(file + suffix, { force: true })
      for (const suffix of ['', '-wal']) renameSync(`${file}.killed${suffix}`, file + suffix)
      self.engine = openEngine({ path: file, ...options })
    },
    close: async () => {
      self.engine.close()
      await rm(folder, { recursive: true, force: true })
    }
  }
  return self
}
