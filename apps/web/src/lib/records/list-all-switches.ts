import { listSwitches, switchRecord } from '@batti/contracts'
import { z } from 'zod'

/** The call for staff: its answer is a bare list, with its total beside it. */
export const listAllSwitches = { ...listSwitches, answer: z.array(switchRecord) }
