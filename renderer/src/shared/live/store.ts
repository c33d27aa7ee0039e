import { create, type StateCreator } from 'zustand'
import { combine } from 'zustand/middleware'

/** Creates a store from its initial state and its actions; both types are inferred. */
export const store =
  <State extends object>(first: State) =>
  <Acts extends object>(acts: StateCreator<State, [], [], Acts>) =>
    create(combine(first, acts))
