import type { Migration } from '../platform/store/schema.ts'
import { dimmerType } from './0001-dimmer-type.ts'
import { fewerLogIndexes } from './0002-fewer-log-indexes.ts'
import { boardsLeftOpen } from './0003-boards-left-open.ts'

/** In the order in which they run; a new one is added at the end, and none is ever removed. */
export const migrations: readonly Migration[] = [dimmerType, fewerLogIndexes, boardsLeftOpen]
