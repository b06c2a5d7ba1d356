import type { Document } from '../bson/document.ts'
import { unsupported } from '../errors.ts'
import type { CommandContext, Reply } from './context.ts'

export const changeStream = (
  _context: CommandContext,
  _spec: unknown,
  _stages: readonly Document[]
): Promise<Reply> => {
  throw unsupported('$changeStream')
}
