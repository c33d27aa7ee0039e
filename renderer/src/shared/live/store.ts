import { create, type StateCreator } from 'zustand'
import { combine } from 'zustand/middleware'

/** A store that begins like this, with the acts that change it; their types are those of what is written. */
export const store =
  <State extends object>(first: State) =>
  <Acts extends object>(acts: StateCreator<State, [], [], Acts>) =>
    create(combine(first, acts))
