// SPDX-License-Identifier: MIT
//! Events of an AsyncRead.

use futures::{executor::block_on, io::AllowStdIo, StreamExt};
use toolwire::{AsyncEvents, Decoder, DecoderOption, Finish, Format, What};

#[test]
fn reads_to_the_end() {
    let text = "Hi <tool_call>{\"name\": \"f\", \"arguments\": {}}</tool_call>";
    let decoder = Decoder::new(&Format::find("hermes").unwrap()).unwrap();
    let events = AsyncEvents::new(decoder, AllowStdIo::new(text.as_bytes()));
    let found: Vec<_> = block_on(events.map(|event| event.unwrap().what).collect());
    assert!(found.iter().any(|what| matches!(what, What::CallBegin { name, .. } if name == "f")));
    assert_eq!(found.last(), Some(&What::End { finish: Finish::Stop }));
}

#[test]
fn events_in_front_of_an_error_come_first() {
    let text = "Hi there. <tool_call>{\"name\": \"f\", \"arguments\": {\"a\": 1}}</tool_call>";
    let mut decoder = Decoder::new(&Format::find("hermes").unwrap()).unwrap();
    decoder.set(DecoderOption::LimitInput, 53).unwrap();
    let events: Vec<_> =
        block_on(AsyncEvents::new(decoder, AllowStdIo::new(text.as_bytes())).collect());
    let found: Vec<_> = events.iter().flatten().map(|event| &event.what).collect();
    assert!(found.iter().any(|what| matches!(what, What::CallBegin { .. })), "{found:?}");
    assert_eq!(found.len(), events.len() - 1);
    assert!(events.last().unwrap().is_err());
}
