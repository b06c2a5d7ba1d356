import type { Model } from 'mongoose'
import type { FairShare } from '../../platform/http/limits/fair-share.ts'
import { loadInTurn } from '../../platform/store/batches/load-together.ts'
import type { CommandDocument } from '../commands/command.model.ts'
import { ownerOf, type OwnedBoard } from './lookups-under-way.ts'
import { createWaitingReads } from './waiting-reads.ts'

/**
 * Returns a function that reads a stored command; null if it is not stored. Those of an account that wait for its turn in
 * `share` are read together, and with those of others.
 */
export function createCommandLookups(commands: Model<CommandDocument>, share: FairShare) {
  const readCommand = loadInTurn(async (ids) => {
    const rows = await commands.find({ _id: { $in: ids } }, { deviceId: 1, cause: 1 }).lean<CommandDocument[]>()
    return new Map(rows.map((row) => [row._id, row]))
  })
  /** Ids that wait for the turn of an account, by account. */
  const asked = createWaitingReads<{ ids: Set<string>; read: Promise<ReadonlyMap<string, CommandDocument | null>> }>()

  return async (board: OwnedBoard, commandId: string): Promise<CommandDocument | null> => {
    const owner = ownerOf(board)
    let turn = asked.get(owner)
    if (turn === undefined) {
      const ids = new Set<string>()
      const read = share(owner, async () => {
        asked.begin(owner)
        return new Map(await Promise.all([...ids].map(async (id) => [id, await readCommand(id)] as const)))
      })
      turn = { ids, read }
      asked.keep(owner, turn, read)
    }
    turn.ids.add(commandId)
    return (await turn.read).get(commandId) ?? null
  }
}
