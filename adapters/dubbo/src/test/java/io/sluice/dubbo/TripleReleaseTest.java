package io.sluice.dubbo;

/** The same over HTTP/2, where one connection carries many calls at a time. */
class TripleReleaseTest extends CallContract {
    @Override
    TestRegistry startRegistry() throws Exception {
        return ZooKeeperRegistry.start();
    }

    @Override
    String protocol() {
        return "tri";
    }
}
