import { unsupported } from '../errors.ts'
import type { Handler } from './context.ts'

export const aggregate: Handler = () => {
  throw unsupported('aggregate')
}
