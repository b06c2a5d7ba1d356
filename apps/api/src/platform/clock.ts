export { systemClock, type Clock } from '@batti/kit/clock'
