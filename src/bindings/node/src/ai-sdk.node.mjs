// SPDX-License-Identifier: MIT
//
// The same for Node, where the module is read when it is imported.
import './node.mjs';

export * from './ai-sdk.mjs';
