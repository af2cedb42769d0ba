package io.sluice.core.rule;

import java.util.ArrayList;
import java.util.List;

/** Writes down what it hears, like {@code flow:trade:5}. */
final class HeardEvents implements ChannelListener {
    private final List<String> all = new ArrayList<>();

    List<String> all() {
        return all;
    }

    void clear() {
        all.clear();
    }

    @Override
    public void onStart(Channel channel) {
        note("start", channel);
    }

    @Override
    public void onFinish(Channel channel) {
        note("finish", channel);
    }

    @Override
    public void onFlowChange(Channel channel) {
        note("flow", channel);
    }

    @Override
    public void onEnterAllBlue(Channel channel) {
        note("enterAllBlue", channel);
    }

    @Override
    public void onExitAllBlue(Channel channel) {
        note("exitAllBlue", channel);
    }

    @Override
    public void onEnterAllGreen(Channel channel) {
        note("enterAllGreen", channel);
    }

    @Override
    public void onExitAllGreen(Channel channel) {
        note("exitAllGreen", channel);
    }

    private void note(String event, Channel channel) {
        all.add(event + ":" + channel.id() + ":" + channel.bluePercent().number());
    }
}
